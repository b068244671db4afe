import type { Sidebar } from '@yarnboard/domain';
import { MOST_MEDIA_BYTES } from '@yarnboard/protocol';
import { Paperclip } from 'lucide-react';
import { useRef, useState } from 'react';
import { useCommand, useLive } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { bytesText } from '../../ui/wording.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { bytesFor, mediaTypeOf, troubleWith } from './media-file.ts';

/** Attaches a file to a sidebar. */
export const MediaForm = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const input = useRef<HTMLInputElement>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isUploading, setIsUploading] = useState(false);
  const { upload } = useLive();
  const { send, isSending, refusal, clear } = useCommand('media_uploaded');
  const attach = async (file: File): Promise<void> => {
    clear();
    const known = troubleWith(file);
    setTrouble(known);
    if (known !== null) return;
    try {
      setIsUploading(true);
      const bytes = await bytesFor(file, upload);
      await send({ sidebarId: sidebar.id, mediaType: mediaTypeOf(file), filePath: file.name, ...bytes });
    } catch (error) {
      setTrouble(`Couldn’t attach ${file.name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      setIsUploading(false);
    }
  };
  return (
    <div className="media-form">
      <div className="actions">
        <Button icon={Paperclip} size="small" isBusy={isSending || isUploading} onClick={() => input.current?.click()}>
          Attach file
        </Button>
        <span className="tiny faint">up to {bytesText(MOST_MEDIA_BYTES)}</span>
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          aria-label="File to attach"
          tabIndex={-1}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            // Lets you choose the same file again after it has changed.
            event.target.value = '';
            if (file !== undefined) void attach(file);
          }}
        />
      </div>
      <Refusal text={trouble ?? refusal} />
    </div>
  );
};
