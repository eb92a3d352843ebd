import { readFileSync } from 'node:fs'

/** A member of a type or object, as its source documents it. */
export type Documented = { readonly name: string; readonly isOptional: boolean; readonly meaning: string }

/** The members of `export type name = { … }`, without those that are internal. */
export const membersOf = (path: string, name: string): readonly Documented[] =>
  documented(blockOf(path, new RegExp(`type ${name} =[^]*?\\n(?=  \\S)`)), /^\s*readonly (\w+)(\??):/)

/** The entries of `const name = t.keyof({ … })`. */
export const entriesOf = (path: string, name: string): readonly Documented[] =>
  documented(blockOf(path, new RegExp(`const ${name} = t.keyof\\(\\{\\n`)), /^\s*(\w+)(): null/)

/** Every member of a file's codecs that has a docstring. */
export const codecMembersOf = (path: string): ReadonlyMap<string, string> => {
  const members = documented(readFileSync(path, 'utf8'), /^\s*'?([\w-]+)'?(): (?:t\.\w|null|\w+,)/)
  return new Map(members.flatMap(({ name, meaning }) => (meaning === '' ? [] : [[name, meaning]])))
}

/** The docstring of `const name`. */
export const docOf = (path: string, name: string): string => {
  const found = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n(?:export )?const ${name}\\b`).exec(
    readFileSync(path, 'utf8'),
  )
  if (found === null) throw new Error(`${path} has no docstring for ${name}`)
  return proseOf(found[1] ?? '')
}

const blockOf = (path: string, start: RegExp): string => {
  const text = readFileSync(path, 'utf8')
  const begin = start.exec(text)
  if (begin === null) throw new Error(`${path} has no ${start.source}`)
  const from = begin.index + begin[0].length
  return text.slice(from, text.indexOf('\n}', from))
}

/** Goes through lines: a docstring, then the member that it is for. */
const documented = (text: string, member: RegExp): readonly Documented[] => {
  const found: Documented[] = []
  let comment: string[] = []
  let isInside = false
  for (const line of text.split('\n')) {
    const begins = !isInside && /^\s*\/\*\*/.test(line)
    if (begins) comment = []
    if (begins || isInside) {
      comment.push(line)
      isInside = !line.includes('*/')
      continue
    }
    const [, name, question] = member.exec(line) ?? []
    if (name === undefined) {
      if (line.trim() !== '') comment = [] // it was somebody else's
      continue
    }
    const meaning = proseOf(comment.join('\n').replace(/^\s*\/\*\*|\*\/\s*$/g, ''))
    if (!comment.join().includes('@internal')) found.push({ name, isOptional: question === '?', meaning })
    comment = []
  }
  return found
}

/** A docstring's sentences, without its tags. */
const proseOf = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trim())
    .join(' ')
    .replace(/\s@(?:see|param|returns|throws|example)\b.*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
