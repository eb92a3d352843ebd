import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { optionalPackage } from '../../../core/transaction/transaction.ts'

const it = suite('an optional package')

it('is named where it is missing', async () => {
  const missing = 'a-package-that-nobody-has'
  assert.equal(await optionalPackage(missing, () => import(missing) as Promise<object>), {
    _tag: 'Left',
    left: {
      code: 'UNSUPPORTED',
      message: `this server lacks the package ${missing}, which reads such transactions`,
    },
  })
})

it('is told apart from one that is broken', async () => {
  const broken = new SyntaxError('broken')
  const thrown = await optionalPackage('broken', () => Promise.reject(broken)).catch((error: unknown) => error)
  assert.is(thrown, broken)
})

it.run()
