/** A person's choices in this browser: orders, open folders, the sidebar. */
export const preferences = {
  /**
   * @template Value
   * @param {string} key
   * @param {Value} otherwise
   * @returns {Value}
   */
  get(key, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },

  /** @param {string} key @param {unknown} value */
  set(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // The browser keeps nothing. The choice holds until the page is left.
    }
  },
};
