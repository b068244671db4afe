import { PROMPT_IMAGES } from '@yarnboard/protocol';
import { ImagePlus, X } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../ui/button.tsx';
import type { PromptImage } from './prompt-image.ts';

export type Images = {
  readonly all: readonly PromptImage[];
  readonly add: (files: readonly File[]) => void;
  readonly drop: (image: PromptImage) => void;
  readonly clear: () => void;
  /** Why a file wasn't accepted. */
  readonly refusal: string | null;
};

/** PAGE-428: the prompt's images, each with a button to remove it. */
export const PromptImages = ({ images: { all, drop, refusal } }: { readonly images: Images }) =>
  all.length === 0 && refusal === null ? null : (
    <div className="composer-images">
      {all.length === 0 ? null : (
        <ul aria-label="Images">
          {all.map((image, n) => (
            // The same picture may occur twice.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={n} className="composer-image">
              <img src={`data:${image.mediaType};base64,${image.data}`} alt={image.name} title={image.name} />
              <IconButton icon={X} size="small" label={`Remove ${image.name}`} onClick={() => drop(image)} />
            </li>
          ))}
        </ul>
      )}
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
