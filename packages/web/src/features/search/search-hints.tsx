/** Search tips. */
export const SearchHints = () => (
  <section className="search-hints" aria-labelledby="search-hints">
    <h2 id="search-hints">Search tips</h2>
    <dl>
      {HINTS.map(([example, meaning]) => (
        <div key={example}>
          <dt>
            <code>{example}</code>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </section>
);

const HINTS = [
  ['pool exhausted', 'both words, any order'],
  ['"pool exhausted"', 'exact phrase'],
  ['pool -test', 'first word but not the second'],
  ['connec*', 'words that start this way'],
  ['db.query(sql', 'code, as written'],
  ['conection', 'misspellings are found too'],
  ['MSG-12', 'go straight to a reference'],
] as const;
