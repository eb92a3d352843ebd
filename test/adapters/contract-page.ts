import { readFile, writeFile } from 'node:fs/promises'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { contractTable, resultOf } from '../../adapters/testing/index.ts'
import type { ContractCase, ContractResult } from '../../adapters/testing/index.ts'

const BEGIN = '<!-- contract: begin, written by the test -->'
const END = '<!-- contract: end -->'

/**
 * Runs each case as a test of its own, and then compares what came of them with the table on the adapter's page.
 * `UPDATE_DOCS=1` writes the table instead.
 */
export const keepsContract = (it: Test, cases: readonly ContractCase[], page: URL): void => {
  const results: ContractResult[] = []
  for (const contractCase of cases) {
    const { number, name, run } = contractCase
    it(`${number} ${name}`, async () => {
      const result = await resultOf({ ...contractCase, run: async () => {} })
      await run()
      results.push(result)
    })
  }

  it('prints the table that stands on its page', async () => {
    const text = await readFile(page, 'utf8')
    const [before, rest = ''] = text.split(BEGIN)
    const after = rest.split(END)[1]
    assert.ok(after !== undefined, `${page.pathname} has the markers of the table`)
    const wanted = `${before}${BEGIN}\n\n${contractTable(results)}\n${END}${after}`
    if (process.env['UPDATE_DOCS'] === '1') await writeFile(page, wanted)
    else assert.is(text, wanted, `the table is old: run this test with UPDATE_DOCS=1`)
  })
}
