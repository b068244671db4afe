import { useCallback, useEffect, useRef, useState } from 'react';
import { useDraft } from '../../live/draft.ts';
import { useLive } from '../../live/hooks.tsx';
import { refusalIn } from '../../live/refusal.ts';
import type { Outgoing, Run } from '../../live/run-news.ts';

export type Outbox = {
  readonly text: string;
  readonly write: (text: string) => void;
  /** What is on its way to the server, kept in the tab until it has answered. */
  readonly outgoing: readonly Outgoing[];
  readonly send: (run: Run, isQueued: boolean) => void;
  readonly refusal: string | null;
  readonly clear: () => void;
};

/**
 * PAGE-401: what somebody writes to a session, and what they have sent. Both outlive a reload: what was on its way is sent again under the same uuid, so that
 * it is heard once. What the server refuses is in the box again.
 */
export const useOutbox = (sessionId: string, run: Run | null): Outbox => {
  const live = useLive();
  const [{ text }, writeDraft] = useDraft<{ readonly text: string }>(`prompt/${sessionId}`, EMPTY);
  const [{ list: outgoing }, writeOutgoing] = useDraft<{ readonly list: readonly Outgoing[] }>(`outbox/${sessionId}`, NOTHING);
  const [refusal, setRefusal] = useState<string | null>(null);
  const latest = useRef({ text, outgoing });
  useEffect(() => {
    latest.current = { text, outgoing };
  });
  const write = useCallback(
    (next: string) => {
      latest.current = { ...latest.current, text: next };
      writeDraft({ text: next });
    },
    [writeDraft],
  );
  const keep = useCallback(
    (list: readonly Outgoing[]) => {
      latest.current = { ...latest.current, outgoing: list };
      writeOutgoing({ list });
    },
    [writeOutgoing],
  );
  const inFlight = useRef(new Set<string>());

  const give = useCallback(
    async (runId: string, prompt: Outgoing): Promise<void> => {
      inFlight.current.add(prompt.uuid);
      const outcome = await live.send('send_message', { id: runId, text: prompt.text, uuid: prompt.uuid, queue: prompt.isQueued });
      inFlight.current.delete(prompt.uuid);
      if (outcome.kind === 'done') live.runNews.take(outcome.result.run);
      keep(latest.current.outgoing.filter(({ uuid }) => uuid !== prompt.uuid));
      const why = refusalIn(outcome);
      if (why === null) return;
      setRefusal(why);
      // In front of what was written meanwhile.
      const since = latest.current.text;
      write(since.trim() === '' ? prompt.text : `${prompt.text}\n\n${since}`);
    },
    [live, keep, write],
  );

  // What a reload found on its way.
  const runId = run?.runId;
  const isOver = run !== null && run.state === 'ended';
  useEffect(() => {
    if (runId === undefined) return;
    const left = latest.current.outgoing.filter(({ uuid }) => !inFlight.current.has(uuid));
    void (async () => {
      for (const prompt of left) await give(runId, prompt);
    })();
  }, [runId, isOver, give]);

  return {
    text,
    write,
    outgoing,
    send: (to, isQueued) => {
      const said = latest.current.text.trim();
      if (said === '') return;
      const prompt = { uuid: live.newId(), text: said, isQueued };
      setRefusal(null);
      write('');
      keep([...latest.current.outgoing, prompt]);
      void give(to.runId, prompt);
    },
    refusal,
    clear: () => setRefusal(null),
  };
};

const EMPTY = { text: '' };
const NOTHING: { readonly list: readonly Outgoing[] } = { list: [] };
