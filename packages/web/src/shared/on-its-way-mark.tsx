import { useQueued } from '../live/hooks.tsx';
import { QueuedMark, UnconfirmedMark } from '../ui/marks.tsx';

/** PAGE-435: something done that isn't on the log yet: on its way to the server, or queued there until the log is back. */
export const OnItsWayMark = ({ id }: { readonly id: string }) => (useQueued().has(id) ? <QueuedMark /> : <UnconfirmedMark />);
