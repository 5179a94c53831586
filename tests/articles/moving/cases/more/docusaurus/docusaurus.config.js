// @ts-check
module.exports = {
  title: 'X',
  url: 'https://dok.example',
  baseUrl: '/',
  presets: [['classic', { blog: {
      routeBasePath: 'news',
      showReadingTime: true,
  } }]],
};
