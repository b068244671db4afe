import type { InsideOutput } from '@yarnboard/protocol';
import { CircleAlert, Download } from 'lucide-react';
import { Link } from 'wouter';
import { bytesText, counted, countOf } from '../../ui/wording.ts';
import './import-progress.css';

type Status = InsideOutput<'status'>;

/** PAGE-50: the progress of an import, or what stops it. */
export const ImportProgress = ({ status }: { readonly status: Status }) => {
  const { state, why, progress, pendingSessions } = status;
  if (state === 'stuck' || state === 'stopped') {
    return (
      <div className="import import-stuck" role="alert">
        <CircleAlert aria-hidden />
        <div className="import-words">
          <p className="import-title">{state === 'stuck' ? 'Import stuck' : 'Import stopped'}</p>
          <p className="small">{why ?? 'No details given.'}</p>
        </div>
        <Link href="/health">Health</Link>
      </div>
    );
  }
  if (state !== 'importing') return null;
  const share = progress === null || progress.allBytes === 0 ? null : Math.min(1, progress.doneBytes / progress.allBytes);
  return (
    <div className="import">
      <Download aria-hidden />
      <div className="import-words">
        <p className="import-title" id="import-title">
          Importing your sessions
        </p>
        <progress className="import-bar" aria-labelledby="import-title" max={1} {...(share === null ? {} : { value: share })} />
        <p className="small soft numbers">
          {progress === null
            ? 'Looking for sessions'
            : `${bytesText(progress.doneBytes)} of ${bytesText(progress.allBytes)}, ${countOf(progress.files)} of ${counted(progress.allFiles, 'file')}`}
          {pendingSessions === 0 ? '' : ` · ${counted(pendingSessions, 'session')} to go – you can open them already`}
        </p>
      </div>
    </div>
  );
};
