import { useCallback, useEffect, useRef, useState } from 'react';
import type { PromptImage } from '../../live/deliveries.ts';
import { useDraft } from '../../live/draft.ts';
import { useLive } from '../../live/hooks.tsx';
import { IMAGE_ROOM } from '../../live/kept-drafts.ts';
import { refusalIn } from '../../live/refusal.ts';
import type { Outgoing, Run } from '../../live/run-news.ts';
import { sentOf, tooLargeToSend } from './prompt-image.ts';
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
  const { deliveries } = live;
  const me = useRef({ isShown: false });
  useEffect(() => {
    const { current } = me;
    current.isShown = true;
    return () => {
      current.isShown = false;
    };
  }, []);
  const images = useImages(sessionId);
  const [{ byPrompt }, writePictures] = useDraft<Pictures>(`outbox-images/${sessionId}`, NO_PICTURES, IMAGE_ROOM);
  const keptPictures = useRef(byPrompt);
  useEffect(() => {
    keptPictures.current = byPrompt;
  }, [byPrompt]);
  const keepPictures = useCallback(
    (uuid: string, pictures: readonly PromptImage[]) => {
      const { [uuid]: _before, ...others } = keptPictures.current;
      keptPictures.current = pictures.length === 0 ? others : { ...others, [uuid]: pictures };
      writePictures({ byPrompt: keptPictures.current });
    },
    [writePictures],
  );
  const { putBack } = images;

  const give = useCallback(
    async (runId: string, prompt: Outgoing): Promise<void> => {
      const { uuid } = prompt;
      const leave = (): void => {
        keep(latest.current.outgoing.filter((one) => one.uuid !== uuid));
        if (uuid in keptPictures.current) keepPictures(uuid, []);
      };
      if (deliveries.done.has(uuid)) {
        leave();
        return;
      }
      const pictures = deliveries.pictures.get(uuid) ?? keptPictures.current[uuid] ?? [];
      let delivery = deliveries.open.get(uuid);
      if (delivery === undefined) {
        if (pictures.length < (prompt.images ?? 0)) {
          // There was no room to keep its images across the reload, and without them the prompt would mean something else.
          leave();
          write([prompt.text, latest.current.text].filter((one) => one.trim() !== '').join('\n\n'));
          setRefusal('The images of this prompt were lost when the page was reloaded. Add them again before you send it.');
          return;
        }
        const outcome = live.send('send_message', { id: runId, text: prompt.text, uuid, queue: prompt.isQueued, ...sentOf(pictures) });
        delivery = { outcome, taker: me.current };
        deliveries.open.set(uuid, delivery);
      }
      delivery.taker = me.current;
      const outcome = await delivery.outcome;
      if (delivery.taker !== me.current) return;
      deliveries.open.delete(uuid);
      if (outcome.kind === 'done') live.runNews.take(outcome.result.run);
      const why = refusalIn(outcome);
      // Nobody would see why, and the images would be lost: it stays in the outbox, and is refused again when the session is shown.
      if (why !== null && !me.current.isShown) return;
      deliveries.pictures.delete(uuid);
      leave();
      if (why === null) {
        deliveries.done.add(uuid);
        return;
      }
      setRefusal(why);
      // Before anything written in the meantime.
      putBack(pictures);
      const since = latest.current.text;
      write(since.trim() === '' ? prompt.text : `${prompt.text}\n\n${since}`);
    },
    [live, deliveries, keep, keepPictures, write, putBack],
  );

  // After a reload, sends again what was unanswered.
  const runId = run?.runId;
  const isOver = run !== null && run.state === 'ended';
  useEffect(() => {
    if (runId === undefined) return;
    const left = latest.current.outgoing.filter(({ uuid }) => deliveries.open.get(uuid)?.taker !== me.current);
    // All that are on their way are taken over at once.
    for (const prompt of left.filter(({ uuid }) => deliveries.open.has(uuid))) void give(runId, prompt);
    void (async () => {
      for (const prompt of left.filter(({ uuid }) => !deliveries.open.has(uuid))) await give(runId, prompt);
    })();
  }, [runId, isOver, give, deliveries]);

  return {
    text,
    write,
    outgoing,
    send: (to, isQueued) => {
      const said = latest.current.text.trim();
      if (said === '' || images.isReading) return;
      const pictures = images.all;
      const tooLarge = tooLargeToSend({ text: said, ...sentOf(pictures) });
      if (tooLarge !== null) {
        setRefusal(tooLarge);
        return;
      }
      const prompt = { uuid: live.newId(), text: said, isQueued, ...(pictures.length === 0 ? {} : { images: pictures.length }) };
      deliveries.pictures.set(prompt.uuid, pictures);
      if (pictures.length > 0) keepPictures(prompt.uuid, pictures);
      images.clear(pictures);
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

type Pictures = { readonly byPrompt: Readonly<Record<string, readonly PromptImage[]>> };

const EMPTY = { text: '' };
const NO_PICTURES: Pictures = { byPrompt: {} };
const NOTHING: { readonly list: readonly Outgoing[] } = { list: [] };
