import { lineAt, type Source } from './source.ts'

export const FILE_LINES_MAX = 300
export const FUNCTION_LINES_MAX = 70

/** Files that were longer when the rule came, with their length then. Entries only shrink and go. */
export const LONG_FILES: Readonly<Record<string, number>> = {}

/** The same for the longest function of a file. */
export const LONG_FUNCTIONS: Readonly<Record<string, number>> = {}

export const fileLengthFindings = (all: readonly Source[], allowed = LONG_FILES): readonly string[] => {
  const lengths = new Map(all.map(({ path, text }) => [path, { line: 1, lines: text.trimEnd().split('\n').length }]))
  return ratchet(lengths, FILE_LINES_MAX, allowed, (lines) => `the file has ${lines} lines: look for its second idea`)
}

/**
 * Functions with too many lines of their own: those of functions inside them do not count, so that a factory may return
 * an object of many short methods.
 */
export const functionLengthFindings = (all: readonly Source[], allowed = LONG_FUNCTIONS): readonly string[] => {
  const lengths = new Map(all.map(({ path, code }) => [path, longest(functionsOf(code))]))
  return ratchet(lengths, FUNCTION_LINES_MAX, allowed, (lines) => `the function has ${lines} lines of its own`)
}

type Length = { readonly line: number; readonly lines: number }

const longest = (found: readonly Length[]): Length =>
  found.reduce((most, one) => (one.lines > most.lines ? one : most), { line: 1, lines: 0 })

const ratchet = (
  lengths: ReadonlyMap<string, Length>,
  max: number,
  allowed: Readonly<Record<string, number>>,
  says: (lines: number) => string,
): readonly string[] => [
  ...[...lengths].flatMap(([path, { line, lines }]) =>
    lines > Math.max(max, allowed[path] ?? 0) ? [`${path}:${line} ${says(lines)}`] : [],
  ),
  ...Object.entries(allowed).flatMap(([path, exception]) => {
    const now = lengths.get(path)?.lines ?? 0
    if (now <= max) return [`test/system/tidy/shape.ts:1 ${path} needs no exception any more: take it out`]
    return now < exception ? [`test/system/tidy/shape.ts:1 ${path} has shrunk: lower its exception to ${now}`] : []
  }),
]

const functionsOf = (code: string): readonly Length[] => {
  const found: Length[] = []
  const open: { readonly isFunction: boolean; readonly line: number; inside: number }[] = []
  let line = 1
  for (let at = 0; at < code.length; at += 1) {
    if (code[at] === '\n') line += 1
    if (code[at] === '{') open.push({ isFunction: opensFunction(code, at), line, inside: 0 })
    if (code[at] !== '}') continue
    const closed = open.pop()
    if (closed === undefined) continue
    const outer = open.at(-1)
    const span = line - closed.line
    if (closed.isFunction) found.push({ line: closed.line, lines: span + 1 - closed.inside })
    if (outer !== undefined) outer.inside += closed.isFunction ? span : closed.inside
  }
  return found
}

const opensFunction = (code: string, brace: number): boolean => {
  const before = code.slice(Math.max(0, brace - 400), brace).trimEnd()
  if (before.endsWith('=>')) return true
  const parameters = /\)(?:\s*:[^(){};=]*)?$/.exec(before)
  if (parameters === null) return false
  let depth = 0
  let at = parameters.index
  for (; at >= 0; at -= 1) {
    if (before[at] === ')') depth += 1
    if (before[at] === '(') depth -= 1
    if (depth === 0) break
  }
  return !/\b(?:if|for|while|switch|catch|with|await)\s*$/.test(before.slice(0, Math.max(0, at)))
}

const FORBIDDEN_NAMES = ['util', 'utils', 'helper', 'helpers', 'common', 'types']

/** @param entryPoints  the `index.ts` that may be */
export const nameFindings = ({ path }: Source, entryPoints: readonly string[]): readonly string[] =>
  path.split('/').flatMap((name) => {
    const base = name.replace(/(?:\.test)?(?:\.d)?\.[cm]?[jt]s$/, '')
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(base)) return [`${path}:1 ${name} is not kebab-case`]
    if (FORBIDDEN_NAMES.includes(base)) return [`${path}:1 ${base} says nothing: name what is in it`]
    if (base === 'index' && !entryPoints.includes(path))
      return [`${path}:1 an index.ts only where the package has an entry point`]
    return []
  })

/** Tests that are not about one file or folder, and why. */
const CROSS_CUTTING: Readonly<Record<string, string>> = {
  'test/campaigns/': 'what campaigns do to the whole, and what they are made of',
  'test/package/': 'installs the package',
  'test/system/': 'the whole: real clients, old logs, documents, examples',
}

/**
 * A test says whose it is: `test/core/policy/parser.test.ts` is for `core/policy/parser.ts` or the folder of that name.
 * One that is named for a claim imports from the folder that it stands in.
 */
export const subjectFindings = (
  { path, imports }: Source,
  exists: (path: string) => boolean,
  target: (specifier: string) => string,
): readonly string[] => {
  if (!path.endsWith('.test.ts') || Object.keys(CROSS_CUTTING).some((folder) => path.startsWith(folder))) return []
  const beside = path.replace(/\.test\.ts$/, '')
  const subject = beside.replace(/^test\//, '')
  if ([subject, beside].some((name) => exists(`${name}.ts`) || exists(name))) return []
  const folder = subject.split('/').slice(0, -1).join('/')
  if (folder.includes('/') && imports.some(({ specifier }) => target(specifier).startsWith(`${folder}/`))) return []
  return [`${path}:1 neither ${subject}.ts nor the folder ${subject} exists, and nothing of ${folder}/ is imported`]
}

/** A suite without `.run()` passes without a word. */
export const runFindings = (source: Source): readonly string[] => {
  if (!source.path.endsWith('.test.ts')) return []
  const suites = [...source.code.matchAll(/\b(?:const|let)\s+(\w+)\s*=\s*suite\b/g)]
  const silent = suites.filter(([, name]) => !new RegExp(String.raw`\b${name}\.run\(\)`).test(source.code))
  if (suites.length === 0 && !source.code.includes('.run()')) return [`${source.path}:1 a test file without a suite`]
  return silent.map(
    (match) => `${source.path}:${lineAt(source.text, match.index)} ${match[1]} is never run: ${match[1]}.run()`,
  )
}
