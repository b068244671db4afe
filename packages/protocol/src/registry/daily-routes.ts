/** The routes of common queries. They are in a file of their own, so that a terminal sending one of them loads no schema. */
export const DAILY_ROUTES = {
  search: { method: 'GET', path: '/search' },
  similar: { method: 'GET', path: '/similar/{ref}' },
  trace: { method: 'GET', path: '/trace/{ref}' },
  verify: { method: 'GET', path: '/log/verify' },
  status: { method: 'GET', path: '/status' },
} as const;
