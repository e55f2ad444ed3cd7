/** Names of other runtimes for tools of this one: in matchers and in hooks that were ported. */
export const TOOL_ALIASES: { readonly [Alias in string]: string } = {
  delegate_task: "agent",
};
