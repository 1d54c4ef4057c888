const tell = (message) => parent.postMessage(message, '*');
for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', () => tell({ localStripe: 'pressed', type: button.id }));
}
tell({ localStripe: 'ready' });
tell({ localStripe: 'height', height: document.documentElement.scrollHeight });
