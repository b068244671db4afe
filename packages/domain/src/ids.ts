/**
 * An id of one kind. Any text can become one, since ids come from logs, wires and people; but ids of different kinds don't mix: swapping two doesn't
 * compile.
 */
type Id<Kind extends string> = string & { readonly idOf?: Kind };

/** AGENT-name */
export type AgentId = Id<'agent'>;
/** AGENT-name#n */
export type InstanceId = Id<'instance'>;
export type SidebarId = Id<'sidebar'>;
/** A session, a sub-agent in one, `sidebar:` and a sidebar's id, or the board. */
export type ContextId = Id<'context'>;
/** The id of a recruitment. */
export type RequestId = Id<'request'>;
