/**
 * Our own sources, as `tidy` reads them: text with its code and its comments told apart. Plain scanning, no parser: what
 * it cannot see, lint and the compiler see.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Source = {
  /** From the root of the repository, with slashes. */
  readonly path: string
  readonly text: string
  /** As long as the text, with comments and what stands in strings and regular expressions blank. */
  readonly code: string
  /** As long as the text, with everything blank but the comments. */
  readonly comments: string
  readonly imports: readonly Import[]
}

export type Import = { readonly specifier: string; readonly line: number; readonly typeOnly: boolean }

export const FOLDERS = ['core', 'adapters', 'examples', 'test'] as const

export const sources = (root: string): readonly Source[] =>
  FOLDERS.filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((entry) => `${folder}/${entry}`),
    )
    .filter((path) => /\.(?:[cm]?[jt]s)$/.test(path) && !path.includes('node_modules/'))
    .toSorted()
    .map((path) => source(path, readFileSync(join(root, path), 'utf8')))

export const source = (path: string, text: string): Source => {
  const kinds = kindsOf(text)
  const only = (kind: Kind): string =>
    Array.from(kinds, (is, at) => (is === kind || text[at] === '\n' ? text.charAt(at) : ' ')).join('')
  const code = only('code')
  return { path, text, code, comments: only('comment'), imports: importsOf(text, code) }
}

export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

const importsOf = (text: string, code: string): readonly Import[] => {
  const imports: Import[] = []
  for (const match of code.matchAll(/\b(?:import|export)\b(\s+type\b)?(?:[^;'"()=]*?\bfrom)?\s*\(?\s*['"]/g)) {
    const start = match.index + match[0].length
    const specifier = text.slice(start, text.indexOf(text.charAt(start - 1), start))
    imports.push({ specifier, line: lineAt(text, match.index), typeOnly: match[1] !== undefined })
  }
  return imports
}

type Kind = 'code' | 'comment' | 'string'

/** What each character is. Quotes count as code, what they enclose does not. */
const kindsOf = (text: string): readonly Kind[] => {
  const kinds: Kind[] = []
  const take = (kind: Kind, end: number): void => {
    while (kinds.length < Math.min(end, text.length)) kinds.push(kind)
  }
  const braces: ('block' | 'template')[] = []
  while (kinds.length < text.length) {
    const at = kinds.length
    const two = text.slice(at, at + 2)
    const one = text.charAt(at)
    if (two === '//') take('comment', endOf(text, '\n', at))
    else if (two === '/*') take('comment', endOf(text, '*/', at + 2) + 2)
    else if (one === "'" || one === '"') takeQuoted(text, take, at, one)
    else if (one === '/' && startsRegExp(text, kinds)) takeQuoted(text, take, at, '/')
    else if (one === '`' || (one === '}' && braces.at(-1) === 'template')) {
      if (one === '}') braces.pop()
      if (takeTemplate(text, take, at)) braces.push('template')
    } else {
      if (one === '{') braces.push('block')
      if (one === '}') braces.pop()
      take('code', at + 1)
    }
  }
  return kinds
}

const endOf = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found
}

const takeQuoted = (text: string, take: (kind: Kind, end: number) => void, at: number, quote: string): void => {
  let end = at + 1
  let inClass = false // a slash in […] does not end a regular expression
  while (end < text.length && text[end] !== '\n' && (inClass || text[end] !== quote)) {
    if (quote === '/' && text[end] === '[') inClass = true
    if (quote === '/' && text[end] === ']') inClass = false
    end += text[end] === '\\' ? 2 : 1
  }
  take('code', at + 1)
  take('string', end)
  take('code', end + 1)
}

/** Takes a template up to its end, or up to the `${` that it answers `true` for. */
const takeTemplate = (text: string, take: (kind: Kind, end: number) => void, at: number): boolean => {
  let end = at + 1
  while (end < text.length && text[end] !== '`' && text.slice(end, end + 2) !== '${') end += text[end] === '\\' ? 2 : 1
  const opens = text[end] === '$'
  take('code', at + 1)
  take('string', end)
  take('code', opens ? end + 2 : end + 1)
  return opens
}

const startsRegExp = (text: string, kinds: readonly Kind[]): boolean => {
  let at = kinds.length - 1
  while (at >= 0 && (kinds[at] === 'comment' || /\s/.test(text.charAt(at)))) at -= 1
  if (at < 0 || '(,=:[!&|?{};+-*%<>~^'.includes(text.charAt(at))) return true
  return /\b(?:return|typeof|case|in|of|void|await)$/.test(text.slice(Math.max(0, at - 7), at + 1))
}
