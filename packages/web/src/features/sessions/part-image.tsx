import { printableLine, type Part } from '@yarnboard/transcript';
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';

/** PAGE-18: an image of a transcript, only of types that can't run anything. A click enlarges it. */
export const PartImage = ({ image, label }: { readonly image: Extract<Part, { kind: 'image' }>; readonly label: string }) => {
  const address = imageAddress(image);
  const [isLarge, setIsLarge] = useState(false);
  const [isBroken, setIsBroken] = useState(false);
  if (address === null || isBroken) {
    return (
      <span className="step-no-image">
        <ImageOff aria-hidden />
        {label}: {address === null ? `${printableLine(image.mediaType)}, not shown` : 'damaged, couldn’t be shown'}
      </span>
    );
  }
  return (
    <>
      <button type="button" className="step-image-opener" aria-label={`Enlarge ${label}`} aria-haspopup="dialog" onClick={() => setIsLarge(true)}>
        <img className="step-image" src={address} alt={label} onError={() => setIsBroken(true)} />
      </button>
      <Dialog isOpen={isLarge} onClose={() => setIsLarge(false)} title={label} size="full">
        <img className="step-image-large" src={address} alt={label} />
      </Dialog>
    </>
  );
};

export const imageAddress = ({ mediaType, data }: Extract<Part, { kind: 'image' }>): string | null =>
  data !== null && SHOWN.has(mediaType) && /^[A-Za-z0-9+/\s]+={0,2}\s*$/u.test(data) ? `data:${mediaType};base64,${data.replace(/\s+/gu, '')}` : null;

const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
