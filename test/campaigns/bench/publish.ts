import { markdown, type Table } from './figures.ts'

/**
 * The page on benchmarks with new tables, and with what they were measured on. A table takes the place of the section with its title; a
 * new one stands at the end. All other sections stay as they are.
 */
export const published = (page: string, about: string, tables: readonly Table[]): string =>
  [
    { title: MACHINE, text: `## ${MACHINE}\n\n${lines(about)}\n` },
    ...tables.map((table) => ({ title: table.title, text: markdown(table) })),
  ].reduce(withSection, page)

/** The section about the machine, the versions and the rounds. */
const MACHINE = 'Measured on'

const lines = (about: string): string =>
  about
    .split('\n')
    .map((line) => `- ${line}`)
    .join('\n')

const withSection = (page: string, { title, text }: { readonly title: string; readonly text: string }): string => {
  const sections = page.split(/^(?=## )/m)
  const index = sections.findIndex((section) => section.startsWith(`## ${title}\n`))
  const added = index < 0 ? [...sections.map(ended), text] : sections.with(index, `${text}\n`)
  return `${added.join('').trimEnd()}\n`
}

/** A section is followed by an empty line. */
const ended = (section: string): string => `${section.trimEnd()}\n\n`
