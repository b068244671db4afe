/** What a session page shows, as held in its URL: `/sessions/ID?at=MSG-12&thread=AGENT&through=UUID`. */
export type SessionAddress = {
  readonly sessionId: string;
  /** The message to show: MSG-n or a uuid. */
  readonly at: string | null;
  /** The sub-agent whose conversation is open next to the main one. */
  readonly thread: string | null;
  /** A record of the branch to show; without one, the active branch. */
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
