import { useCallback, useEffect, useRef, useState } from 'react';
import { useDraft } from '../../live/draft.ts';
import { useLive } from '../../live/hooks.tsx';
import { refusalIn } from '../../live/refusal.ts';
import type { Outgoing, Run } from '../../live/run-news.ts';
import { sentOf, type PromptImage } from './prompt-image.ts';
import type { Images } from './prompt-images.tsx';
import { useImages } from './use-images.ts';

export type Outbox = {
  readonly text: string;
  readonly write: (text: string) => void;
  /** Prompts being sent, kept in the tab until the server has answered. */
  readonly outgoing: readonly Outgoing[];
  readonly send: (run: Run, isQueued: boolean) => void;
  readonly refusal: string | null;
  readonly clear: () => void;
  /** PAGE-428 */
  readonly images: Images;
};

/**
 * PAGE-401: the prompt being written for a session, and those being sent. Both survive a reload: unanswered prompts are sent again under the same
 * uuid, so that they are delivered only once. If the server refuses a prompt, it goes back into the box.
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
  const images = useImages();
  const { putBack } = images;
  const sentImages = useRef(new Map<string, readonly PromptImage[]>());

  const give = useCallback(
    async (runId: string, prompt: Outgoing): Promise<void> => {
      const pictures = sentImages.current.get(prompt.uuid) ?? [];
      if (pictures.length < (prompt.images ?? 0)) {
        // The reload lost its images, and without them the prompt would mean something else.
        keep(latest.current.outgoing.filter(({ uuid }) => uuid !== prompt.uuid));
        write([prompt.text, latest.current.text].filter((one) => one.trim() !== '').join('\n\n'));
        setRefusal('The images of this prompt were lost when the page was reloaded. Add them again before you send it.');
        return;
      }
      inFlight.current.add(prompt.uuid);
      const outcome = await live.send('send_message', {
        id: runId,
        text: prompt.text,
        uuid: prompt.uuid,
        queue: prompt.isQueued,
        ...sentOf(pictures),
      });
      inFlight.current.delete(prompt.uuid);
      sentImages.current.delete(prompt.uuid);
      if (outcome.kind === 'done') live.runNews.take(outcome.result.run);
      keep(latest.current.outgoing.filter(({ uuid }) => uuid !== prompt.uuid));
      const why = refusalIn(outcome);
      if (why === null) return;
      setRefusal(why);
      // Before anything written in the meantime.
      putBack(pictures);
      const since = latest.current.text;
      write(since.trim() === '' ? prompt.text : `${prompt.text}\n\n${since}`);
    },
    [live, keep, write, putBack],
  );

  // After a reload, sends again what was unanswered.
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
      const pictures = images.all;
      const prompt = { uuid: live.newId(), text: said, isQueued, ...(pictures.length === 0 ? {} : { images: pictures.length }) };
      sentImages.current.set(prompt.uuid, pictures);
      images.clear();
      setRefusal(null);
      write('');
      keep([...latest.current.outgoing, prompt]);
      void give(to.runId, prompt);
    },
    refusal,
    clear: () => setRefusal(null),
    images,
  };
};

const EMPTY = { text: '' };
const NOTHING: { readonly list: readonly Outgoing[] } = { list: [] };
