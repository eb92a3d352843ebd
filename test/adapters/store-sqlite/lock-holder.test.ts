import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { holderAmong } from '../../../adapters/store-sqlite/lock-holder.ts'

const it = suite('SQLite store: who holds the lock')

const LOCKS = `1: POSIX  ADVISORY  READ 11 fd:01:131085 1073741826 1073742335
2: POSIX  ADVISORY  WRITE 22 fd:01:999 0 EOF
2: -> POSIX  ADVISORY  WRITE 33 fd:01:131085 1073741825 1073741825
3: FLOCK  ADVISORY  WRITE 44 00:20:131085 0 EOF
4: POSIX  ADVISORY  WRITE 4242 fd:01:131085 1073741825 1073741825
`
const FD_01 = (0xfdn << 8n) | 1n

it('is read from the list of the system, by device and inode', () => {
  assert.is(holderAmong(LOCKS, FD_01, 131_085n), 4242)
  assert.is(holderAmong(LOCKS, 0x20n, 131_085n), 44)
  assert.is(holderAmong(LOCKS, FD_01, 999n), 22)
  assert.is(holderAmong(LOCKS, FD_01, 1n), undefined)
  assert.is(holderAmong('', FD_01, 131_085n), undefined)
})

it('is nobody in a text of another form', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.is(holderAmong(text, FD_01, 131_085n), undefined)))
})

it.run()
