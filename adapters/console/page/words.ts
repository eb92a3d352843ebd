import { operationOf } from '../../inbox/words.ts'
import { wordsOf } from './request/schema-form.ts'

/** The operation of a type as people say it, such as `Create user tag`. */
export const operationWords = (type: string): string => wordsOf(operationOf(type).replace(/_v\d+$/, ''))

/** A member of a request as people say it: `userTagName` is `User tag name`. */
export const memberWords = wordsOf
