import { readdirSync, readFileSync } from 'node:fs'

export type Page = { readonly path: string; readonly text: string }

/** A block of code, with the comment right above it. */
export type Block = { readonly language: string; readonly code: string; readonly line: number; readonly note: string }

/** Every page that is ours to keep true. */
export const pages = (): readonly Page[] => {
  const roots = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md']
  const reports = ['test/campaigns/reports/benchmarks.md', 'test/campaigns/reports/mutants.md']
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`)
  return [...roots, ...reports, ...docs.filter((name) => name.endsWith('.md')).toSorted()].map(pageOf)
}

export const pageOf = (path: string): Page => ({ path, text: readFileSync(path, 'utf8') })

export const blocksOf = ({ text }: Page): readonly Block[] =>
  [...text.matchAll(/(?:<!-- ([^>]*?) -->\n\n)?^```(\w+)\n(.*?)^```$/gms)].map((match) => ({
    language: match[2] ?? '',
    code: match[3] ?? '',
    line: text.slice(0, match.index + match[0].indexOf('```')).split('\n').length + 1,
    note: match[1] ?? '',
  }))

/** The text without its code. */
export const proseOf = ({ text }: Page): string => text.replaceAll(/^```.*?^```$/gms, '')

/** The anchors that headings make, as the usual renderers make them. */
export const anchorsOf = (page: Page): ReadonlySet<string> =>
  new Set(
    [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
