/*
 * Stands in the bundle of the worker in the place of `viem/tempo` and `@solana/kit`, which would make it several times as large. What needs them
 * is believed, as where they are not installed.
 */
throw Object.assign(new Error('this package is not part of the page'), { code: 'ERR_MODULE_NOT_FOUND' })
