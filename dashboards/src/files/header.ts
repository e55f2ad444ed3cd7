/** Stands at the top of each generated file that can have a comment. */
export const HEADER = "# Generated from dashboards/src by `npm run docs:generate`. Change it there.\n";
