for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', () =>
    parent.postMessage({ localStripe: 'challenge', passed: button.id === 'complete' }, '*'),
  );
}
