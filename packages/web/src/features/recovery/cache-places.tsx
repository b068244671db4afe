import { printableLine } from '@yarnboard/transcript';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { bytesText, counted, countOf } from '../../ui/wording.ts';
import { PLACES } from '../../shared/standing.ts';
import './recovery.css';
import { reasonText, type State } from './recovery-words.ts';

/** PAGE-449: where queued items are kept, how much room is left there, and the last outage. */
export const CachePlaces = ({ places, lastOutage }: Pick<State, 'places' | 'lastOutage'>) => (
  <>
    <ul className="recovery-places" aria-label="Places">
      {places.map(({ name, survives, isLocal, failing, roomBytes }) => (
        <li key={name} className="recovery-place">
          <span className="recovery-place-name">{sentenceCase(PLACES.get(name) ?? printableLine(name))}</span>
          <span className="small soft">
            survives {printableLine(survives)}
            {isLocal ? '' : ', on another machine'}
          </span>
          <span className="small numbers">{roomBytes === null ? 'room unknown' : `room for ${bytesText(roomBytes)}`}</span>
          {failing === null ? <Badge tone="good">working</Badge> : <Badge tone="bad">failing</Badge>}
          {failing === null ? null : <span className="small recovery-bad recovery-whole">{printableLine(failing)}</span>}
        </li>
      ))}
    </ul>
    <p className="small soft">
      {lastOutage === null ? (
        'No outages recorded.'
      ) : (
        <>
          Last outage: {reasonText(lastOutage.reason).toLowerCase()}, ended <Moment at={lastOutage.to} />. {counted(lastOutage.queued, 'item')}{' '}
          queued, {countOf(lastOutage.replayed + lastOutage.known)} saved
          {lastOutage.conflicts === 0 ? '' : `, ${counted(lastOutage.conflicts, 'conflict')}`}
          {lastOutage.discarded === 0 ? '' : `, ${countOf(lastOutage.discarded)} discarded`}. Recorded as entry {countOf(lastOutage.position)} of the
          log.
        </>
      )}
    </p>
  </>
);

const sentenceCase = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
