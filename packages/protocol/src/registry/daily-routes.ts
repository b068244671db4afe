/** Where the questions of every day are answered. They lie by themselves, so that a terminal that asks one of them of a server loads no schema. */
export const DAILY_ROUTES = {
  search: { method: 'GET', path: '/search' },
  similar: { method: 'GET', path: '/similar/{ref}' },
  trace: { method: 'GET', path: '/trace/{ref}' },
  verify: { method: 'GET', path: '/log/verify' },
  status: { method: 'GET', path: '/status' },
} as const;
