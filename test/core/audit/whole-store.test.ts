import { suite } from 'uvu'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { findsInWholeStore } from './whole-store.ts'

const it = suite('an audit of what whoever has the whole store can do')

findsInWholeStore(it, () => Promise.resolve(memoryStore()))

it.run()
