import { blocksOf, pages, type Block, type Page } from './markdown.ts'

/** The TypeScript of a page as a reader copies it: one module. */
export type Module = {
  readonly name: string
  readonly page: Page
  readonly text: string
  /** What the page says that it prints, if it says so. */
  readonly prints: string | undefined
}

/** Files that a page shows with their names stand in a folder of its own. */
export const FILES = 'docs/how-to/mount.md'

/** The blocks of a page are one module: what is defined in one is used in the next. Those of the README stand alone. */
export const modules = (): readonly Module[] =>
  pages().flatMap((page) => {
    if (page.path === FILES) return []
    const blocks = blocksOf(page)
    const code = blocks.filter(({ language }) => language === 'ts').map((block) => block.code)
    const texts = page.path === 'README.md' || code.length === 0 ? code : [code.join('\n')]
    return texts.map((text, index) => ({
      name: `${page.path.replaceAll(/[/.]/g, '-')}-${index}`,
      page,
      text: `${text}\nexport {}\n`,
      prints: printedBy(blocks),
    }))
  })

const printedBy = (blocks: readonly Block[]): string | undefined =>
  blocks.find(({ language }, index) => language === 'text' && blocks[index - 1]?.language === 'ts')?.code
