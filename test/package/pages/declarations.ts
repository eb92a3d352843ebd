/** Files of a host that export whatever the package has, so that the compiler must name every type in a declaration. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Whole modules of other packages, and values whose types are theirs. A host that exports them imports them with `t`, `E` or `TE`. */
const LEFT_OUT: ReadonlySet<string> = new Set(['t', 'E', 'TE', 'O', 'Failure', 'FailureCode', 'closed'])
/** Types that other packages define, and one of ours whose members only the engine uses. */
const OPAQUE =
  /^(?:Expression|Mixed|Props|Codec|Decoder|Either|TaskEither|DependencyContainer|InjectionToken|\w+Provider)$/

/** One file for each export: it imports nothing else, so that no other import helps to name a type. */
export const declarations = async (host: string): Promise<ReadonlyMap<string, string>> => {
  const root = join(host, 'node_modules/countersign')
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: { readonly [entry: string]: string | { readonly types: string; readonly default: string } }
  } // npm reads it, too
  const files = new Map<string, string>()
  for (const [entry, paths] of Object.entries(exports)) {
    if (typeof paths === 'string') continue
    const from = `countersign${entry.slice(1)}`
    const add = (name: string, kind: string, lines: readonly string[]) =>
      files.set(`${from.replaceAll('/', '-')}-${kind}-${files.size}-${name}.ts`, `${lines.join('\n')}\n`)
    const values = (await import(pathToFileURL(join(root, paths.default)).href)) as { readonly [name: string]: unknown }
    for (const [name, value] of Object.entries(values))
      if (!LEFT_OUT.has(name)) add(name, 'value', valueLines(name, from, typeof value === 'function'))
    for (const name of typesIn(join(root, paths.types)))
      if (!OPAQUE.test(name)) add(name, 'type', typeLines(name, from))
  }
  return files
}

const valueLines = (name: string, from: string, isFunction: boolean): readonly string[] => [
  `import { ${name} } from '${from}'`,
  `export const value = ${name}`,
  ...(isFunction
    ? [`export const called = (...given: Parameters<typeof ${name}>) => ${name}(...given)`] //
    : []),
]

/** The members of an object type, each with its own type. Of other types the compiler says that they have no members. */
const typeLines = (name: string, from: string): readonly string[] => [
  `import type { ${name} } from '${from}'`,
  `export const members = (given: ${name}) => ({ ...given })`,
]

const typesIn = (path: string): ReadonlySet<string> => {
  const text = readFileSync(path, 'utf8')
  const lists = [...text.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, isType, list = '']) =>
    list
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '' && (isType !== undefined || one.startsWith('type '))),
  )
  const own = [...text.matchAll(/^export (?:declare )?(?:type|interface) (\w+)(?= )/gm)].map(([, name = '']) => name)
  const others = [...text.matchAll(/^export \* from '(\..*)\.[jt]s'/gm)].flatMap(([, from = '']) => [
    ...typesIn(join(dirname(path), `${from}.d.ts`)),
  ])
  return new Set([...lists.map((one) => one.replace(/^(?:type )?(?:\w+ as )?/, '')), ...own, ...others])
}

/** What the compiler says about names that it does not find. Everything else that it says is about these files, and not about the package. */
export const unnamed = (said: string): readonly string[] =>
  said
    .split('\n')
    .filter(
      (line) =>
        /error TS(?:2742|2883|2527|4023|4058|4060)\b/.test(line) && !/'(?:service|isDraft|decodedBy)'/.test(line),
    )
