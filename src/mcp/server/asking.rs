//! Prompts and completions, as clients see them.

use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, GetPromptResult, JsonObject, Prompt,
    PromptArgument, PromptMessage, Reference, Role,
};

use crate::mcp::call::Dispatch;
use crate::mcp::tool::Tool;
use crate::mcp::{completion, prompts, resources};

pub(super) fn prompts(dispatch: &Dispatch) -> Vec<Prompt> {
    offered(dispatch).map(described).collect()
}

fn offered(dispatch: &Dispatch) -> impl Iterator<Item = &'static prompts::Prompt> + use<> {
    let listed: Vec<&Tool> = dispatch.listed().collect();
    prompts::offered(&listed)
}

fn described(prompt: &prompts::Prompt) -> Prompt {
    let argument = |it: &prompts::Argument| {
        PromptArgument::new(it.name).with_description(it.description).with_required(it.is_required)
    };
    let arguments = prompt.arguments.iter().map(argument).collect();
    Prompt::new(prompt.name, Some(prompt.description), Some(arguments)).with_title(prompt.title)
}

fn named(dispatch: &Dispatch, name: &str) -> Result<&'static prompts::Prompt, ErrorData> {
    let found = offered(dispatch).find(|prompt| prompt.name == name);
    found.ok_or_else(|| ErrorData::invalid_params(format!("no prompt `{name}`; prompts/list lists all"), None))
}

/// # Errors
/// An unknown prompt, or a wrong argument, which is named.
pub(super) fn prompt(dispatch: &Dispatch, name: &str, arguments: &JsonObject) -> Result<GetPromptResult, ErrorData> {
    let prompt = named(dispatch, name)?;
    let text = prompt.filled(arguments).map_err(|message| ErrorData::invalid_params(message, None))?;
    let mut result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
    result.description = Some(prompt.description.into());
    Ok(result)
}

/// # Errors
/// An unknown prompt or template, or one without this argument.
pub(super) async fn complete(
    dispatch: &Dispatch,
    request: &CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let argument = request.argument.name.as_str();
    let is_known = match &request.r#ref {
        Reference::Prompt(prompt) => {
            named(dispatch, &prompt.name)?.arguments.iter().any(|known| known.name == argument)
        }
        Reference::Resource(template) => {
            let path = template.uri.strip_prefix(resources::SCHEME).unwrap_or_default();
            let known = resources::TEMPLATES.iter().any(|(known, ..)| *known == path);
            known && [format!("{{{argument}}}"), format!("{{+{argument}}}")].iter().any(|it| path.contains(it))
        }
        _ => false,
    };
    if !is_known {
        return Err(ErrorData::invalid_params(format!("no argument `{argument}` to complete there"), None));
    }
    let most = CompletionInfo::MAX_VALUES;
    let (values, total) = completion::complete(dispatch, argument, &request.argument.value, most).await;
    let has_more = total > values.len();
    let info = CompletionInfo::with_pagination(values, u32::try_from(total).ok(), has_more);
    info.map(CompleteResult::new).map_err(|message| ErrorData::internal_error(message, None))
}
