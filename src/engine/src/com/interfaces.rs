//! The interfaces of ICorDebug, as far as they are used. Ids and slots are those of cordebug.h; slots 0 to 2 are IUnknown.

use super::guid::Guid;
use super::pointer::{HResult, Interface, Pointer, Raw, Result};
use super::structures::{ArrayLayout, HeapInformation, TypeId, TypeLayout};
use super::{Input, Output};

macro_rules! interfaces {
    ($($(#[$doc:meta])* $name:ident $iid:literal {
        $($(#[$method_doc:meta])* $slot:literal $method:ident($($argument:ident: $type:ty),*) $(-> $output:ty)?;)*
    })*) => { $(
        $(#[$doc])*
        #[derive(Clone)]
        #[repr(transparent)]
        pub struct $name(Pointer);

        impl Interface for $name {
            const IID: Guid = Guid::new($iid);
            fn wrap(pointer: Pointer) -> Self { Self(pointer) }
            fn pointer(&self) -> &Pointer { &self.0 }
        }

        impl $name {
            $(interfaces!(@method [$(#[$method_doc])*] $slot $method($($argument: $type),*) $(-> $output)?);)*
        }
    )* };
    (@method [$($doc:tt)*] $slot:literal $method:ident($($argument:ident: $type:ty),*) -> $output:ty) => {
        $($doc)*
        pub fn $method(&self $(, $argument: $type)*) -> Result<$output> {
            let mut slot = <$output as Output>::empty();
            // SAFETY: the slot has this signature in cordebug.h; the object and all arguments are alive during the call.
            let answer = unsafe {
                self.0.method::<unsafe extern "C" fn(Raw $(, <$type as Input>::Abi)*, *mut <$output as Output>::Abi) -> i32>($slot)(
                    self.0.raw() $(, $argument.lower())*, &raw mut slot,
                )
            };
            HResult::check(answer)?;
            // SAFETY: the call succeeded.
            unsafe { <$output as Output>::take(slot) }
        }
    };
    (@method [$($doc:tt)*] $slot:literal $method:ident($($argument:ident: $type:ty),*)) => {
        $($doc)*
        /// Answers the success code, mostly 0.
        pub fn $method(&self $(, $argument: $type)*) -> Result<i32> {
            // SAFETY: the slot has this signature in cordebug.h; the object and all arguments are alive during the call.
            let answer = unsafe {
                self.0.method::<unsafe extern "C" fn(Raw $(, <$type as Input>::Abi)*) -> i32>($slot)(self.0.raw() $(, $argument.lower())*)
            };
            HResult::check(answer)
        }
    };
}

interfaces! {
    Unknown 0x00000000_0000_0000_c000_000000000046 {}
    CorDebug 0x3d6f5f61_7538_11d3_8d5b_00104b35e7ef {
        3 initialize();
        4 terminate();
        5 set_managed_handler(handler: &Unknown);
        8 debug_active_process(pid: u32, with_native: bool) -> Process;
    }
    Process 0x3d6f5f64_7538_11d3_8d5b_00104b35e7ef {
        /// Each stop needs its own `go_on`. The argument is ignored.
        3 stop(ignored: u32);
        4 go_on(out_of_band: bool);
        6 has_queued_callbacks(thread: Option<&Thread>) -> bool;
        7 threads() -> Enumerator;
        /// 0 lets all but one run, 1 suspends them, when the process goes on.
        8 set_all_threads_debug_state(state: u32, except: Option<&Thread>);
        9 detach();
        15 thread(id: u32) -> Thread;
        26 app_domains() -> Enumerator;
    }
    Process8 0x2e6f28c1_85eb_4141_80ad_0a90944b9639 {
        /// Whether exceptions that touch no code of the user are reported.
        3 set_exceptions_outside_of_my_code(is_reported: bool);
    }
    /// What reads the garbage collector's heap, by address and by [`super::TypeId`].
    Process5 0x21e9d9c0_fcb8_11df_8cff_0800200c9a66 {
        3 heap_information() -> HeapInformation;
        4 heap_objects() -> HeapObjects;
        5 heap_regions() -> HeapRegions;
        6 object(address: u64) -> ObjectValue;
        /// Of the kinds in the mask, bits of [`super::handle_kind`].
        8 handles(kinds: u32) -> GcReferences;
        10 type_of(id: TypeId) -> Type;
        11 array_layout(id: TypeId) -> ArrayLayout;
        12 type_layout(id: TypeId) -> TypeLayout;
    }
    HeapObjects 0x76d7dab8_d044_11df_9a15_7e29dfd72085 {}
    HeapRegions 0xa2fa0f8e_d045_11df_ac8e_ce2adfd72085 {}
    GcReferences 0x7f3c24d3_7e1d_4245_ac3a_f72f8859c80c {}
    /// Any enumerator of interfaces: all have these slots, and hand out things of their own kind.
    Enumerator 0xcc7bcb01_8a68_11d2_983c_0000f808342d {}
    AppDomain2 0x096e81d5_ecda_4202_83f5_c65980a9ef75 {
        3 array_or_pointer_type(element: u32, rank: u32, of: &Type) -> Type;
    }
    Module 0xdba2d8c1_e5c5_4069_8c13_10a7c6abf43d {
        4 base_address() -> u64;
        9 function(token: u32) -> Function;
        11 class(token: u32) -> Class;
        18 size() -> u32;
    }
    Module2 0x7fcc5fb5_49c0_41de_9938_3b88b5b9add7 {
        5 set_jit_flags(flags: u32);
        6 jit_flags() -> u32;
    }
    Function 0xcc7bcaf3_8a68_11d2_983c_0000f808342d {
        3 module() -> Module;
        5 token() -> u32;
        6 il_code() -> Code;
        7 native_code() -> Code;
    }
    Function2 0xef0c490b_94c3_4e4d_b629_ddc134c532d8 {
        3 set_my_code(is_mine: bool);
    }
    Code 0xcc7bcaf4_8a68_11d2_983c_0000f808342d {
        5 address() -> u64;
        6 size() -> u32;
        7 create_breakpoint(offset: u32) -> FunctionBreakpoint;
    }
    Code2 0x5f696509_452f_4436_a3fe_4d11fe7e2347 {
        /// CorDebugJITCompilerFlags, of native code.
        4 compiler_flags() -> u32;
    }
    Code3 0xd13d3e88_e1f2_4020_aa1d_3d162dcbe966 {}
    Breakpoint 0xcc7bcae8_8a68_11d2_983c_0000f808342d {}
    FunctionBreakpoint 0xcc7bcae9_8a68_11d2_983c_0000f808342d {
        3 activate(active: bool);
        4 is_active() -> bool;
    }
    Class 0xcc7bcaf5_8a68_11d2_983c_0000f808342d {
        3 module() -> Module;
        4 token() -> u32;
    }
    Class2 0xb008ea8d_7ab1_43f7_bb20_fbb5a04038ae {}
    Type 0xd613f0bb_ace1_4c19_bd72_e4c08d5da7f5 {
        /// An element code.
        3 kind() -> u32;
        4 class() -> Class;
        5 type_parameters() -> Enumerator;
        6 first_parameter() -> Type;
        7 base() -> Type;
        8 static_field(field: u32, frame: Option<&Frame>) -> Value;
        9 rank() -> u32;
    }
    Type2 0xe6e91d79_693d_48bc_b417_8284b4f10fb5 {
        3 id() -> TypeId;
    }
    Thread 0x938c6d66_7fb6_4f69_b389_425b8987329b {
        4 id() -> u32;
        /// 0 lets it run, 1 suspends it, when the process goes on.
        7 set_debug_state(state: u32);
        /// Bits, of which [`super::WAITS`] is one.
        9 user_state() -> u32;
        10 current_exception() -> Value;
        12 create_stepper() -> Stepper;
        17 create_eval() -> Eval;
        18 object() -> Value;
    }
    Thread3 0xf8544ec3_5e4e_46c7_8d3e_a52b8405b1f5 {
        3 stack_walk() -> StackWalk;
    }
    Thread4 0x1a1f204b_1c66_4637_823f_3ee6c744a69c {
        /// Empty for a thread that waits for no monitor.
        4 blocking_objects() -> BlockingObjects;
    }
    BlockingObjects 0x976a6278_134a_4a81_81a3_8f277943f4c3 {}
    StackWalk 0xa0647de9_55de_4816_929c_385271c64cf7 {
        /// 0 while there are more.
        5 next();
        6 frame() -> Frame;
    }
    Frame 0xcc7bcaef_8a68_11d2_983c_0000f808342d {}
    ILFrame 0x03e26311_4f76_11d3_88c6_006097945418 {
        5 function() -> Function;
        10 create_stepper() -> Stepper;
        /// 0 where it is where it was asked for; other successes have moved it elsewhere.
        12 set_ip(offset: u32);
        14 local(slot: u32) -> Value;
        16 argument(number: u32) -> Value;
        /// 0 = yes.
        19 can_set_ip(offset: u32);
    }
    ILFrame2 0x5d88a994_6c30_479b_890f_bcef88b129a5 {
        4 type_parameters() -> Enumerator;
    }
    /// The value that the call at an IL offset has just returned.
    ILFrame3 0x9a9e2ed6_04df_4fe0_bb50_cab64126ad24 {
        3 return_value(offset: u32) -> Value;
    }
    NativeFrame 0x03e26314_4f76_11d3_88c6_006097945418 {
        4 code() -> Code;
        /// The offset in the native code.
        11 ip() -> u32;
    }
    NativeFrame2 0x35389ff1_3684_4c55_a2ee_210f26c60e5e {
        /// It is a handler, which the runtime calls like a method.
        3 is_child() -> bool;
        4 is_matching_parent_frame(parent: &NativeFrame2) -> bool;
    }
    Stepper 0xcc7bcaec_8a68_11d2_983c_0000f808342d {
        4 deactivate();
        5 set_intercept_mask(mask: u32);
        6 set_unmapped_stop_mask(mask: u32);
        7 step(into: bool);
        9 step_out();
    }
    Stepper2 0xc5b6e9c3_e7d1_4a8e_873b_7f047f0706f7 {
        3 set_just_my_code(on: bool);
    }
    Eval 0xcc7bcaf6_8a68_11d2_983c_0000f808342d {
        9 abort();
        10 result() -> Value;
        /// A null reference for [`super::element::CLASS`] and no class.
        12 create_value(kind: u32, class: Option<&Class>) -> Value;
    }
    Eval2 0xfb0d9ce7_be66_4683_9d32_a42a04e2fd91 {
        9 rude_abort();
    }
    Value 0xcc7bcaf7_8a68_11d2_983c_0000f808342d {
        3 kind() -> u32;
        4 size() -> u32;
        5 address() -> u64;
    }
    Value2 0x5e0b54e7_d88a_4626_9420_a691e0a78b49 {
        3 exact_type() -> Type;
    }
    GenericValue 0xcc7bcaf8_8a68_11d2_983c_0000f808342d {}
    ReferenceValue 0xcc7bcaf9_8a68_11d2_983c_0000f808342d {
        7 is_null() -> bool;
        8 target_address() -> u64;
        9 set_target_address(address: u64);
        10 dereference() -> Value;
    }
    HandleValue 0x029596e8_276b_46a1_9821_732e96bbb00b {
        13 dispose();
    }
    ObjectValue 0x18ad3d6e_b7d2_11d2_bd04_0000f80849bd {
        8 field(class: &Class, token: u32) -> Value;
    }
    /// An object of a type that derives from `System.Exception`.
    ExceptionObjectValue 0xae4ca65d_59dd_42a2_83a5_57e8a08d8719 {
        /// Empty where it was never thrown.
        3 call_stack() -> ExceptionCallStack;
    }
    ExceptionCallStack 0xed775530_4dc4_41f7_86d0_9e2def7dfc66 {}
    /// A delegate with one handler; others are refused.
    DelegateObjectValue 0x3af70cc7_6047_47f6_a5c5_090a1a622638 {
        4 function() -> Function;
    }
    BoxValue 0xcc7bcafc_8a68_11d2_983c_0000f808342d {
        9 object() -> ObjectValue;
    }
    StringValue 0xcc7bcafd_8a68_11d2_983c_0000f808342d {
        9 length() -> u32;
    }
    ArrayValue 0x0405b0df_a660_11d2_bd02_0000f80849bd {
        10 rank() -> u32;
        11 count() -> u32;
        16 element_at(position: u32) -> Value;
    }
    HeapValue2 0xe3ac4d6c_9cb7_43e6_96cc_b21540e5083c {
        /// 1 = strong, 2 = weak, 3 = pinned.
        3 create_handle(kind: u32) -> ReferenceValue;
    }
    HeapValue3 0xa69acad8_2374_46e9_9ff8_b1f14120d296 {}
}
