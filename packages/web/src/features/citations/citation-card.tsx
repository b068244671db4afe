import type { Citation, CitationSource } from '@yarnboard/domain';
import { assertNever } from '@yarnboard/domain';
import { fileRefOf } from '@yarnboard/protocol';
import { printable } from '@yarnboard/transcript';
import { ExternalLink, FileText, Quote } from 'lucide-react';
import { FoldedText } from '../../ui/folded-text.tsx';
import { OnItsWayMark } from '../../shared/on-its-way-mark.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { EvidenceList } from '../../shared/evidence.tsx';
import { Person } from '../../shared/people.tsx';
import { TraceLink } from '../../shared/trace-link.tsx';

/** PAGE-108: what is cited, where in it, the cited text, and who cited it. */
export const CitationCard = ({ citation, isUnconfirmed }: { readonly citation: Citation; readonly isUnconfirmed: boolean }) => (
  <li className="citation-card card">
    <header className="citation-head">
      <span className="citation-name">{citation.ref === '' ? 'New citation' : <Reference to={citation.ref} />}</span>
      {citation.ref === '' ? null : <TraceLink to={citation.ref} />}
      {isUnconfirmed ? <OnItsWayMark id={citation.id} /> : null}
      {citation.relevance === null ? null : <span className="tiny faint">relevance {Math.round(citation.relevance * 100)} %</span>}
    </header>
    <Source source={citation.source} />
    {citation.content === null ? null : (
      <blockquote className="citation-content">
        <Quote aria-hidden />
        <FoldedText text={citation.content} most={600}>
          {(text) => <p>{printable(text)}</p>}
        </FoldedText>
      </blockquote>
    )}
    {citation.note === null ? null : <p className="small">{withReferences(citation.note)}</p>}
    <p className="byline">
      <Person id={citation.createdBy} isShort /> <Moment at={citation.createdAt} />
    </p>
  </li>
);

const Source = ({ source }: { readonly source: CitationSource }) => {
  switch (source.kind) {
    case 'reference':
      return <EvidenceList label="Cites" refs={[source.ref]} />;
    case 'file': {
      const ref = fileRefOf(source);
      return (
        <p className="citation-source">
          <FileText aria-hidden />
          <code>{printable(source.path)}</code>
          {source.from === null ? null : <span className="soft">{linesText(source.from, source.to)}</span>}
          {ref === null ? null : <span className="tiny faint">{ref}</span>}
        </p>
      );
    }
    case 'external': {
      const address = safeAddress(source.url);
      return (
        <p className="citation-source">
          <ExternalLink aria-hidden />
          {source.title === null ? null : <span>{printable(source.title)}</span>}
          {address === null ? (
            source.url === null ? null : (
              <span className="citation-address">{printable(source.url)}</span>
            )
          ) : (
            <a className="citation-address" href={address} target="_blank" rel="noreferrer noopener">
              {printable(source.url ?? address)}
            </a>
          )}
        </p>
      );
    }
    default:
      return assertNever(source);
  }
};

const linesText = (from: number, to: number | null): string => (to === null || to === from ? `line ${from}` : `lines ${from} to ${to}`);

/** The address if it leads to the web, otherwise null. */
export const safeAddress = (url: string | null): string | null => {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
};
