"""What tests share: words for positions and actions, the comparison with a referee, scenarios there and back."""
