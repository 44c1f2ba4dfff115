/** Methods of upstream requests, as options of a select. */
export const methodOptions = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'].map((value) => ({
  value,
  label: value,
}));
