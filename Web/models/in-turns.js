/**
 * Does an asynchronous piece of work for each value, at most `atOnce` at a time. Returns the
 * results in the order of the values. Begins no more once one has failed.
 *
 *     await inTurns(2, ["a", "b", "c"], async (name) => name.length)  // [1, 1, 1]
 *
 * @template Value, Result
 * @param {number} atOnce
 * @param {Value[]} values
 * @param {(value: Value, index: number) => Promise<Result>} work
 * @returns {Promise<Result[]>}
 */
export async function inTurns(atOnce, values, work) {
  const results = new Array(values.length);
  let next = 0;
  const worker = async () => {
    while (next < values.length) {
      const index = next++;
      results[index] = await work(values[index], index);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, values.length) }, worker));
  } finally {
    next = values.length;
  }
  return results;
}
