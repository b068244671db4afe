import { useQuery } from '@tanstack/react-query';
import { partsOf, type JsonObject, type Part } from '@yarnboard/transcript';
import { useLive } from '../../live/hooks.tsx';
import { Skeleton } from '../../ui/state.tsx';
import { counted } from '../../ui/wording.ts';
import { useFlowDeeds } from './flow-context.ts';
import type { Step } from './flow-pages.ts';
import { PartImage } from './part-image.tsx';

/** The images attached to a message. */
export const StepImages = ({ step }: { readonly step: Step }) => (step.images === 0 ? null : <Images step={step} />);

const Images = ({ step }: { readonly step: Step }) => {
  const { ask } = useLive();
  const { sessionId } = useFlowDeeds();
  const { data, error } = useQuery({
    queryKey: ['message', 'images', sessionId, step.uuid, step.images],
    queryFn: async () => {
      const images: Image[] = [];
      for (const uuid of step.uuids) {
        const { messageData } = await ask('message', { ref: uuid, session: sessionId });
        images.push(...imagesIn(messageData));
        if (images.length >= step.images) break;
      }
      return images;
    },
    staleTime: Infinity,
    gcTime: 60_000,
  });
  if (error !== null) return <p className="step-refusal">Couldn’t load images: {error.message}</p>;
  if (data === undefined) return <Skeleton lines={3} label={`Loading ${counted(step.images, 'image')}`} />;
  return (
    <ul className="step-images">
      {data.map((image, n) => (
        // Images have no ids, and their order never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={n}>
          <PartImage image={image} label={`Image ${n + 1} of ${data.length}`} />
        </li>
      ))}
    </ul>
  );
};

type Image = Extract<Part, { kind: 'image' }>;

// Transcript records are JSON.
const imagesIn = (record: unknown): readonly Image[] =>
  typeof record === 'object' && record !== null && !Array.isArray(record)
    ? partsOf(record as JsonObject).filter((part) => part.kind === 'image')
    : [];
