/** The browser side of the Agent view. */
export {};
