import { suite } from 'uvu'
import { runPage, shellPages } from './shell.ts'

const it = suite('the shell in the documents')

for (const [path, before] of shellPages) it(`prints what ${path} says`, () => runPage(path, before, { dist: 'dist' }))

it.run()
