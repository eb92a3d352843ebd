import * as t from '../../codec/t.ts'

/** A life in seconds, as the wire writes it. The empty text counts as left out. */
export const secondsUpTo = (max: number) =>
  t.refined(
    t.string,
    `a number of seconds up to ${max}, in decimal digits`,
    (text) => text === '' || (/^[1-9][0-9]*$/.test(text) && Number(text) <= max),
  )
