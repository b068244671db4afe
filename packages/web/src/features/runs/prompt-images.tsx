import { PROMPT_IMAGES } from '@yarnboard/protocol';
import { ImagePlus, X } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../ui/button.tsx';
import type { PromptImage } from '../../live/deliveries.ts';

export type Images = {
  readonly all: readonly PromptImage[];
  readonly add: (files: readonly File[]) => void;
  readonly drop: (image: PromptImage) => void;
  /** Removes the images that were sent; those added since stay. */
  readonly clear: (sent: readonly PromptImage[]) => void;
  /** Whether one is still being read or made smaller: sent now, the prompt would go without it. */
  readonly isReading: boolean;
  /** Why a file wasn't accepted. */
  readonly refusal: string | null;
};

type PromptImagesProps = {
  readonly images: Images;
  /** The last one in the row was removed: the focus has to go elsewhere. */
  readonly onLastRemoved: () => void;
};

/** PAGE-428: the prompt's images, each with a button to remove it. */
export const PromptImages = ({ images: { all, drop, refusal, isReading }, onLastRemoved }: PromptImagesProps) =>
  all.length === 0 && refusal === null && !isReading ? null : (
    <div className="composer-images">
      {all.length === 0 ? null : (
        <ul aria-label="Images">
          {all.map((image, n) => (
            // The same picture may occur twice.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={n} className="composer-image">
              <img src={`data:${image.mediaType};base64,${image.data}`} alt={image.name} title={image.name} />
              <IconButton
                icon={X}
                size="small"
                label={`Remove ${image.name}`}
                onClick={() => {
                  // The button of any other stays, as that of the next image.
                  if (n === all.length - 1) onLastRemoved();
                  drop(image);
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {isReading ? (
        <p className="composer-hint" role="status">
          Reading images. You can send the prompt when they are here.
        </p>
      ) : null}
      {refusal === null ? null : (
        <p className="composer-masked" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );

/** For anyone who can't paste or drop. */
export const AddImages = ({ images }: { readonly images: Images }) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={PROMPT_IMAGES.join(',')}
        multiple
        hidden
        aria-label="Images"
        onChange={({ target }) => {
          images.add([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <IconButton icon={ImagePlus} label="Add images" onClick={() => input.current?.click()} />
    </>
  );
};
