import type { Sidebar } from '@yarnboard/domain';
import { Paperclip } from 'lucide-react';
import { useRef, useState } from 'react';
import { useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { bytesText } from '../../ui/wording.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { mediaTypeOf, MOST_BYTES, readBase64, troubleWith } from './media-file.ts';

/** Attaches a file to a sidebar. */
export const MediaForm = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const input = useRef<HTMLInputElement>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const { send, isSending, refusal, clear } = useCommand('media_uploaded');
  const attach = async (file: File): Promise<void> => {
    clear();
    const known = troubleWith(file);
    setTrouble(known);
    if (known !== null) return;
    try {
      const content = await readBase64(file);
      await send({ sidebarId: sidebar.id, mediaType: mediaTypeOf(file), filePath: file.name, content });
    } catch (error) {
      setTrouble(`Couldn’t read ${file.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <div className="media-form">
      <div className="actions">
        <Button icon={Paperclip} size="small" isBusy={isSending} onClick={() => input.current?.click()}>
          Attach file
        </Button>
        <span className="tiny faint">at most {bytesText(MOST_BYTES)}</span>
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          aria-label="File to attach"
          tabIndex={-1}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            // The same file may be chosen again after it was changed.
            event.target.value = '';
            if (file !== undefined) void attach(file);
          }}
        />
      </div>
      <Refusal text={trouble ?? refusal} />
    </div>
  );
};
