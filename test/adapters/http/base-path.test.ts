import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { basePathOf, behindBasePath } from '../../../adapters/http/base-path.ts'
import { pathOf } from '../../../adapters/http/service.ts'

const it = suite('base paths')

it('end without slashes, and the root is none', () => {
  assert.equal(['', '/', '///', '/a', '/a/', '/a/b//', '/a.b/~c/@d'].map(basePathOf), [
    '',
    '',
    '',
    '/a',
    '/a',
    '/a/b',
    '/a.b/~c/@d',
  ])
})

it('are refused if no request can have them', () => {
  for (const option of [
    'a',
    'a/',
    'http://host/a',
    '/a b',
    '/ä',
    '/a?b',
    '/a#b',
    '/a//b',
    '//a',
    '/a/..',
    '/./a',
    '/%2E%2e/a',
    '/a%',
    '/a%2',
    '/a\\b',
  ])
    assert.throws(() => basePathOf(option), /basePath: expected a path such as \/countersign/, option)
})

it('take what is behind them, and nothing that only begins alike', () => {
  assert.equal(
    ['/a', '/a/', '/a//', '/a/b', '/a//b', '/ab', '/', '/A/b', '/%61/b', '/b/a'].map((path) =>
      behindBasePath('/a', path),
    ),
    ['/', '/', '/', '/b', '/b', undefined, undefined, undefined, undefined, undefined],
  )
  assert.is(behindBasePath('', '/a/b'), '/a/b')
})

it('are compared as they are sent, but for the case of hexadecimal digits', () => {
  for (const base of ['/sys%c3%a8me', '/sys%C3%A8me'])
    assert.equal(
      ['/sys%c3%a8me/b', '/sys%C3%A8me/b', '/sys%C3%a8me', '/SYS%c3%a8me/b', '/système/b'].map((path) =>
        behindBasePath(basePathOf(base), path),
      ),
      ['/b', '/b', '/', undefined, undefined],
    )
  assert.is(behindBasePath(basePathOf('/a%2Fb'), '/a/b/c'), undefined)
})

const segment = fc.oneof(
  fc.constantFrom('a', 'ab', 'countersign', '.a', 'A', '%41', '%c3%A8', "!$&'()*+,;=:@-_~"),
  fc.string({ minLength: 1, unit: fc.constantFrom(...'abAB09-._~%c3') }),
)
const anyBase = fc.array(segment, { maxLength: 4 }).map((segments) => segments.map((one) => `/${one}`).join(''))

const accepted = (option: string): string | undefined => {
  try {
    return basePathOf(option)
  } catch {
    return undefined
  }
}

it('lead every path that a client appends to them to the same rest, whether it has one spelling or several slashes', () => {
  fc.assert(
    fc.property(anyBase, fc.nat(3), fc.webPath(), (base, slashes, path) => {
      const basePath = accepted(base)
      if (basePath === undefined) return
      assert.is(basePathOf(`${base}${'/'.repeat(slashes)}`), basePath)
      assert.is(basePathOf(basePath), basePath)
      const appended = `${base}${'/'.repeat(slashes)}/${path.replace(/^\/+/, '')}`
      assert.is(behindBasePath(basePath, pathOf(appended)), `/${path.replace(/^\/+/, '')}`)
      assert.is(
        behindBasePath(basePath, pathOf(`https://api.example.com${appended}?x=/a`)),
        `/${path.replace(/^\/+/, '')}`,
      )
    }),
  )
})

it('never fail on a path, and take none that does not begin with them', () => {
  const segments = (path: string): readonly string[] => path.toUpperCase().split('/').filter(Boolean)
  fc.assert(
    fc.property(anyBase, fc.oneof(anyBase, fc.string({ unit: 'binary' })), (base, target) => {
      const basePath = accepted(base)
      if (basePath === undefined) return
      const path = pathOf(target)
      const rest = behindBasePath(basePath, path)
      if (rest === undefined) return
      assert.ok(rest.startsWith('/'))
      assert.equal([...segments(basePath), ...segments(rest)], segments(path))
    }),
  )
})

it.run()
