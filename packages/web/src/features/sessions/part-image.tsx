import { printableLine, type Part } from '@yarnboard/transcript';
import { ImageOff } from 'lucide-react';

/** PAGE-18: an image of a transcript, of the kinds that cannot do anything but be seen. */
export const PartImage = ({ image, label }: { readonly image: Extract<Part, { kind: 'image' }>; readonly label: string }) => {
  const address = imageAddress(image);
  return address === null ? (
    <span className="step-no-image">
      <ImageOff aria-hidden />
      {label}: {printableLine(image.mediaType)}, not shown
    </span>
  ) : (
    <img className="step-image" src={address} alt={label} />
  );
};

export const imageAddress = ({ mediaType, data }: Extract<Part, { kind: 'image' }>): string | null =>
  data !== null && SHOWN.has(mediaType) && /^[A-Za-z0-9+/\s]+={0,2}\s*$/u.test(data) ? `data:${mediaType};base64,${data.replace(/\s+/gu, '')}` : null;

const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
