/** Calls a pure function once for each object, and remembers the answer as long as the object lives. */
export const oncePer = <A extends object, B>(ask: (one: A) => B): ((one: A) => B) => {
  const answers = new WeakMap<A, { readonly answer: B }>()
  return (one) => {
    const known = answers.get(one) ?? { answer: ask(one) }
    answers.set(one, known)
    return known.answer
  }
}
