/** What of a session is shown, as its address says it: `/sessions/ID?at=MSG-12&thread=AGENT&through=UUID`. */
export type SessionAddress = {
  readonly sessionId: string;
  /** The message that is shown: MSG-n or a uuid. */
  readonly at: string | null;
  /** The sub-agent whose conversation is open beside the main one. */
  readonly thread: string | null;
  /** A record of the branch that is shown; the active one unless given. */
  readonly through: string | null;
};

export const sessionAddress = (sessionId: string, params: URLSearchParams): SessionAddress => {
  const given = (name: string): string | null => {
    const value = params.get(name)?.trim() ?? '';
    return value === '' ? null : value;
  };
  const thread = given('thread');
  return { sessionId, at: given('at'), thread: thread === 'main' ? null : thread, through: given('through') };
};

export const sessionPath = ({ sessionId, at, thread, through }: SessionAddress): string => {
  const query = new URLSearchParams({
    ...(at === null ? {} : { at }),
    ...(thread === null ? {} : { thread }),
    ...(through === null ? {} : { through }),
  }).toString();
  return `/sessions/${encodeURIComponent(sessionId)}${query === '' ? '' : `?${query}`}`;
};
