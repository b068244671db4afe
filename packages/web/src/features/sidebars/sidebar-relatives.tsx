import { activeFocus, type Sidebar } from '@yarnboard/domain';
import type { ReactNode } from 'react';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { ContextLink, MergedLink, SidebarLink } from '../../shared/context-link.tsx';
import { DetailsSection } from './details-section.tsx';

/** Where it came from, what came of it, and what else it relates to. */
export const SidebarRelatives = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const { parent, origin, children, forkedFrom, forkReason, forkedInto, mergedInto, crossRefs } = sidebar;
  const focus = activeFocus(sidebar);
  const leaf = origin.kind === 'session' ? origin.leafUuid : null;
  return (
    <DetailsSection title="Related">
      <dl className="details-facts">
        {parent === null ? null : (
          <Fact name="Parent">
            <ContextLink context={parent} at={leaf} />
          </Fact>
        )}
        {forkedFrom === null ? null : (
          <Fact name="Forked from">
            <SidebarLink id={forkedFrom} />
            {forkReason === null ? null : <p className="tiny soft">{withReferences(forkReason)}</p>}
          </Fact>
        )}
        {parent === null && forkedFrom === null ? <Fact name="Parent">none</Fact> : null}
        {children.length === 0 ? null : (
          <Fact name="Children">
            <Many ids={children} />
          </Fact>
        )}
        {forkedInto.length === 0 ? null : (
          <Fact name="Forks">
            <Many ids={forkedInto} />
          </Fact>
        )}
        {mergedInto === null ? null : (
          <Fact name="Merged into">
            <MergedLink sidebar={sidebar} into={mergedInto} />
          </Fact>
        )}
        {crossRefs.length === 0 ? null : (
          <Fact name="See also">
            <Refs refs={crossRefs} />
          </Fact>
        )}
        {focus.length === 0 ? null : (
          <Fact name="In focus">
            <Refs refs={focus} />
          </Fact>
        )}
      </dl>
    </DetailsSection>
  );
};

export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="details-fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Many = ({ ids }: { readonly ids: readonly string[] }) => (
  <ul className="details-many">
    {ids.slice(-MOST_SHOWN).map((id) => (
      <li key={id}>
        <SidebarLink id={id} />
      </li>
    ))}
    {ids.length > MOST_SHOWN ? <li className="tiny faint">and {ids.length - MOST_SHOWN} earlier</li> : null}
  </ul>
);

const Refs = ({ refs }: { readonly refs: readonly string[] }) => (
  <span className="details-refs">
    {refs.slice(0, MOST_SHOWN).map((ref) => (
      <Reference key={ref} to={ref} />
    ))}
    {refs.length > MOST_SHOWN ? <span className="tiny faint">and {refs.length - MOST_SHOWN} more</span> : null}
  </span>
);

const MOST_SHOWN = 12;
