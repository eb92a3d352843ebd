/**
 * The arguments that make Node run a TypeScript program of ours on what was built, as a host would. The package is loaded
 * before tsx, which would look through every file of it; and workers do not inherit tsx, as they would from a flag.
 * The program finds `options` with `programOptions`.
 */
export const builtProgram = (file: URL, options: unknown = {}): readonly string[] => [
  '-e',
  BOOT,
  file.href,
  JSON.stringify(options),
]

const ENTRIES = ['', '/http', '/store-sqlite', '/store-memory', '/store-postgres', '/store-eventstoredb', '/audit'].map(
  (name) => `countersign${name}`,
)

const BOOT = `
  Promise.all(${JSON.stringify(ENTRIES)}.map((name) => import(name)))
    .then(() => import('tsx/esm/api'))
    .then(({ register }) => { register(); return import(process.argv[1]) })`

/** What `builtProgram` was given. */
export const programOptions = (): unknown => JSON.parse(process.argv[2] ?? '{}')
