/**
 * An id of one kind. Any text can be taken for one, since all of them come from a log, a wire or a person; but an id of one kind is never taken for one of
 * another: two ids the wrong way round do not compile.
 */
type Id<Kind extends string> = string & { readonly idOf?: Kind };

/** AGENT-name */
export type AgentId = Id<'agent'>;
/** AGENT-name#n */
export type InstanceId = Id<'instance'>;
export type SidebarId = Id<'sidebar'>;
/** A session, a sub-agent in one, `sidebar:` and the id of a sidebar, or the board. */
export type ContextId = Id<'context'>;
/** Of a recruitment. */
export type RequestId = Id<'request'>;
