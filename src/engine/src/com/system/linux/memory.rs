//! The target's memory, past ICorDebug: one system call a read.

/// Fills `buffer` from `address` of process `pid`; answers how many bytes could be read.
pub fn read_memory(pid: u32, address: u64, buffer: &mut [u8]) -> usize {
    let local = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let remote = libc::iovec { iov_base: address as usize as *mut libc::c_void, iov_len: buffer.len() };
    // SAFETY: writes only to `buffer`; the other process's addresses are checked by the kernel.
    let got = unsafe { libc::process_vm_readv(pid.cast_signed(), &raw const local, 1, &raw const remote, 1, 0) };
    usize::try_from(got).unwrap_or(0)
}

/// Has all threads allocate in one place. The engine's few threads take turns: places of their own would only keep memory that nobody uses.
pub fn share_allocations() {
    #[cfg(target_env = "gnu")]
    // SAFETY: a number of glibc's own, set before there is another thread.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}
