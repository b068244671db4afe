import { parseRef } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { SearchX } from 'lucide-react';
import { Link, Redirect } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { bytesText } from '../../ui/wording.ts';
import { nameOf } from '../../shared/names.ts';
import { TraceLink } from '../../shared/trace-link.tsx';
import './reference-page.css';
import { isSidebar, placeOfReference } from './reference-place.ts';

/** Looks up a reference and redirects to its place. */
export const ReferencePage = ({ reference: written }: { /** As written in the URL. */ readonly reference: string }) => {
  const reference = unescaped(written);
  const ref = parseRef(reference);
  const { data, error, refetch } = useAsk('reference', { ref: reference }, { isWanted: ref.ok });
  if (!ref.ok) {
    return (
      <NotThere title={`“${reference}” isn’t a reference`}>
        References look like {ref.error.wanted}. <SearchFor text={reference} />
      </NotThere>
    );
  }
  if (data !== undefined) {
    const place = placeOfReference(data);
    return place === null ? <About told={data} /> : <Redirect to={place} replace />;
  }
  if (error === null) {
    return (
      <Page title={reference}>
        <Skeleton lines={4} label={`Loading ${reference}`} />
      </Page>
    );
  }
  return isMissing(error) ? (
    <NotThere title={`${reference} not found`}>
      It may be on another board, or in a session not yet imported. <SearchFor text={reference} />
    </NotThere>
  ) : (
    <Page title={reference}>
      <Failure title={`Couldn’t look up ${reference}`} error={error} onRetry={() => void refetch()} />
    </Page>
  );
};

/** PAGE-169: URLs escape the colon of a finding and the number sign of an operation, and the router doesn't unescape them. */
const unescaped = (written: string): string => written.replaceAll(/%3A/giu, ':').replaceAll('%23', '#');

const isMissing = (error: Error): boolean => 'code' in error && error.code === 'not-found';

const SearchFor = ({ text }: { readonly text: string }) => (
  <Link href={`/search?${new URLSearchParams({ q: text }).toString()}`}>Search for it as text</Link>
);

const NotThere = ({ title, children }: { readonly title: string; readonly children: React.ReactNode }) => (
  <Page title="Reference">
    <Empty icon={SearchX} title={title}>
      {children}
    </Empty>
  </Page>
);

type Told = InsideOutput<'reference'>;

/** For things without a page of their own: a citation, a medium, a file, an agent. */
const About = ({ told }: { readonly told: Told }) => {
  const { id, kind, createdIn, createdBy, createdAt, thing } = told;
  const facts = factsOf(thing ?? {});
  const said = [...new Set(['content', 'note'].flatMap((key) => textIn(thing?.[key])))];
  return (
    <Page
      title={id}
      subtitle={KINDS.get(kind) ?? 'Board item'}
      actions={
        <>
          <CopyButton text={id} label={`Copy ${id}`} />
          <TraceLink to={id} size="normal" />
        </>
      }
    >
      <article className="card reference-about">
        {said.map((text) => (
          <p key={text} className="reference-about-text">
            {withReferences(text)}
          </p>
        ))}
        <dl className="reference-facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{printableLine(name)}</dt>
              <dd>{withReferences(value)}</dd>
            </div>
          ))}
          <div>
            <dt>Created in</dt>
            <dd>{isSidebar(createdIn) ? <Reference to={createdIn} /> : <Context id={createdIn} />}</dd>
          </div>
          <div>
            <dt>Created by</dt>
            <dd>
              {nameOf(createdBy)}, <Moment at={createdAt} />
            </dd>
          </div>
        </dl>
        {kind === 'AGENT' ? <Link href="/agents">All agents</Link> : null}
      </article>
    </Page>
  );
};

const Context = ({ id }: { readonly id: string }) =>
  /^[0-9a-f]{8}-/u.test(id) ? (
    <Link href={`/sessions/${encodeURIComponent(id)}`}>the session {id.slice(0, 8)}</Link>
  ) : (
    <span>{printableLine(id)}</span>
  );

/** The fields of a thing, under their wire names, that people care about. */
const factsOf = (thing: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] => {
  const source = thing['source'];
  const inside = typeof source === 'object' && source !== null ? Object.entries(source).flatMap(([key, value]) => fact(wordsOf(key), value)) : [];
  return [...FACTS.flatMap(([key, name]) => fact(name, key === 'file_size' ? sizeIn(thing[key]) : thing[key])), ...inside];
};

const fact = (name: string, value: unknown): readonly (readonly [string, string])[] => textIn(value).map((text) => [name, text] as const);

const textIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return Array.isArray(value) && value.length > 0 ? [value.map(String).join(', ')] : [];
};

const sizeIn = (value: unknown): unknown => (typeof value === 'number' ? bytesText(value) : value);

const wordsOf = (key: string): string => `${key.charAt(0).toUpperCase()}${key.slice(1).replaceAll('_', ' ')}`;

const FACTS = [
  ['file_path', 'File'],
  ['file', 'File'],
  ['media_type', 'Kind'],
  ['mime', 'Type'],
  ['file_size', 'Size'],
  ['processing_status', 'State'],
  ['in_response_to', 'Reply to'],
  ['relevance_score', 'Relevance'],
  ['kind', 'Kind'],
  ['availability', 'Presence'],
  ['specialties', 'Skills'],
  ['active_sidebars', 'Sidebars'],
] as const;

const KINDS: ReadonlyMap<string, string> = new Map([
  ['CITE', 'A citation'],
  ['MEDIA', 'A medium'],
  ['FILE', 'Cited file'],
  ['AGENT', 'Participant'],
]);
